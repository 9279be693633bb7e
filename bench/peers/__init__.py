"""Other retrievers on the same questions, each as its own documentation sets it up, with the same model."""
