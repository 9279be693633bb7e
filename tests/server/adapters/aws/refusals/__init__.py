"""The wall of AWS's refusals: each rule bites, and what the project deploys passes."""
