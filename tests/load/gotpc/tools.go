//go:build tools

// Package tools holds nothing: go.mod beside it pins go-tpc (see scripts/go-tpc.sh).
package tools
