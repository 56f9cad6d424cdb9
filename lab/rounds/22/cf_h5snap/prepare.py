open('flame.cfg','w').write('ny 512 nx 64 nt 200 every 2\n')
