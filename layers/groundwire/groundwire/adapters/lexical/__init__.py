"""Words of passages and phrases as every index engine compares them: tokens, stems, terms and their BM25 weights."""
