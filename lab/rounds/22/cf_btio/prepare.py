open('inputbt.data','w').write('64 64 96 20 5\n')
