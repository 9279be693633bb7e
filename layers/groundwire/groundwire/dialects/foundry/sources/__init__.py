"""Knowledge sources of Foundry Local on `/edgeai/knowledgesources`: MCP sources in the form of its clients.

Wire format: Microsoft's page "Knowledge sources API reference" of Agentic Retrieval in Foundry Local. Members beyond
that page are extensions: policy, tools, collection mapping, and the parameters of three kinds of credentials.
"""
