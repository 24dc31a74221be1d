"""Parts of scripts/check_house.py: each takes the tree's root and returns breaches as text."""
