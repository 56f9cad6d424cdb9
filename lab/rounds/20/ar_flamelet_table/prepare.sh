#!/bin/sh
printf "nchi %d\nnenth %d\niters 8\n" ${1:-30} ${2:-20} > flamelet.in
