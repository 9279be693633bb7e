"""Reader of binary workbooks (.xls, [MS-XLS]): records, texts, cells."""
