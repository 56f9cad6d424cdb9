open('export.nml','w').write('&export ni=240, nj=160, nsol=8 /\n')
