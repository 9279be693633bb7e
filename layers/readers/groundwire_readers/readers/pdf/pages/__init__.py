"""Text, rules and areas of a PDF page, through PDFium."""
