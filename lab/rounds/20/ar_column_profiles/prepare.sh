#!/bin/sh
echo "grid ${1:-60} ${2:-50} days 60 keep ${3:-20}" > columns.in
