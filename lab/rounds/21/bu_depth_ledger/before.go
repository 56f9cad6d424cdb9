// depth_ledger adds aligned blocks (start, length as uint32 pairs) to a table of
// depth per 10 bp bin. The table is kept on disk as well, so that a run that was
// stopped goes on from the block where it was.
//
//	depth_ledger -in aligned.bin -state depth.state
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"os"
)

const (
	genome  = 5_000_000
	binSize = 10
	bins    = genome / binSize
	chunk   = 250
)

// Ledger is the number of blocks so far and the depth table, as they are on disk
// (little-endian uint32, the number first).
type Ledger struct {
	path string
	buf  []byte
}

func open(path string) (*Ledger, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return &Ledger{path, make([]byte, 4+4*bins)}, nil
	}
	if err != nil {
		return nil, err
	}
	if len(b) != 4+4*bins {
		return nil, fmt.Errorf("%s: %d bytes", path, len(b))
	}
	return &Ledger{path, b}, nil
}

func (l *Ledger) done() uint32 { return binary.LittleEndian.Uint32(l.buf) }

func (l *Ledger) depth(i uint32) uint32 { return binary.LittleEndian.Uint32(l.buf[4+4*i:]) }

// save puts the table on disk.
func (l *Ledger) save() error {
	return os.WriteFile(l.path, l.buf, 0o644)
}

func (l *Ledger) add(start, length uint32) {
	for i := start / binSize; i <= (start+length-1)/binSize && i < bins; i++ {
		binary.LittleEndian.PutUint32(l.buf[4+4*i:], l.depth(i)+1)
	}
	binary.LittleEndian.PutUint32(l.buf, l.done()+1)
}

func main() {
	in := flag.String("in", "aligned.bin", "aligned blocks")
	state := flag.String("state", "depth.state", "depth table")
	flag.Parse()

	l, err := open(*state)
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Open(*in)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(int64(l.done())*8, io.SeekStart); err != nil {
		log.Fatal(err)
	}
	r := bufio.NewReader(f)
	var rec [8]byte
	for {
		if _, err := io.ReadFull(r, rec[:]); err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		l.add(binary.LittleEndian.Uint32(rec[:]), binary.LittleEndian.Uint32(rec[4:]))
		if l.done()%chunk == 0 {
			if err := l.save(); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := l.save(); err != nil {
		log.Fatal(err)
	}

	var max, covered uint32
	var sum uint64
	for i := uint32(0); i < bins; i++ {
		d := l.depth(i)
		if d > max {
			max = d
		}
		if d > 0 {
			covered++
		}
		sum += uint64(d)
	}
	b, err := os.ReadFile(*state)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("blocks %d covered bins %d max %d mean %.4f\n", l.done(), covered, max, float64(sum)/bins)
	fmt.Printf("state %d bytes crc %08x\n", len(b), crc32.ChecksumIEEE(b))
}
