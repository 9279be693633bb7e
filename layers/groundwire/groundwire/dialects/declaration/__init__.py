"""The declaration of a dialect: tools and routes, the use cases that it translates to, and its replay."""
