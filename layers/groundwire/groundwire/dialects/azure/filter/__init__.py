"""Grammar of OData, as far as filters of Azure AI Search have it and a document's fields can."""
