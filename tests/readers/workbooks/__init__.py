"""Reading of workbooks: figures as shown, cells, sheets and tables."""
