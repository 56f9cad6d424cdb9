! LIQUID ARGON, LENNARD-JONES, VELOCITY VERLET, REDUCED UNITS
! PASS 1 RUNS THE DYNAMICS AND KEEPS THE HISTORY ON UNIT 8
! PASS 2 REWINDS UNIT 8, VELOCITY AUTOCORRELATION AND MEAN SQUARE DISPLACEMENT
      PROGRAM ARGON
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256, MAXT=60)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      COMMON /CORR/ C(0:MAXT), D(0:MAXT), NC(0:MAXT)
      CHARACTER*12 ARG
      CALL GETARG(1, ARG)
      READ (ARG,*) NSTEP
      N = 256
      RHO = 0.8D0
      DT = 0.004D0
      BOX = (N/RHO)**(1D0/3D0)
      CALL SETUP
      CALL FORCES(EPOT)
      OPEN (8, FILE='HISTORY', STATUS='UNKNOWN', FORM='UNFORMATTED')
      DO 50 ISTEP = 1, NSTEP
         CALL HALF(DT)
         DO 20 I = 1, N
         DO 20 K = 1, 3
20       X(K,I) = X(K,I) + DT*V(K,I)
         CALL FORCES(EPOT)
         CALL HALF(DT)
         CALL SAVE8
50    CONTINUE
      CALL CORREL(NSTEP)
      WRITE (6,900) NSTEP, EPOT/N
      DO 60 K = 0, MAXT, 6
60    WRITE (6,910) K*DT, C(K)/C(0)*NC(0)/NC(K), D(K)/NC(K)
900   FORMAT (' STEPS ',I6,'  EPOT/N ',F12.6)
910   FORMAT (F9.4,2F14.8)
      CLOSE (8)
      END

! FCC LATTICE, VELOCITIES FROM A LITTLE CONGRUENTIAL GENERATOR
      SUBROUTINE SETUP
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      DIMENSION B(3,4), S(3)
      DATA B /0D0,0D0,0D0, .5D0,.5D0,0D0, .5D0,0D0,.5D0, 0D0,.5D0,.5D0/
      ISEED = 12345
      I = 0
      S = 0D0
      DO 10 IX = 0, 3
      DO 10 IY = 0, 3
      DO 10 IZ = 0, 3
      DO 10 M = 1, 4
         I = I + 1
         X(1,I) = (IX + B(1,M))*BOX/4
         X(2,I) = (IY + B(2,M))*BOX/4
         X(3,I) = (IZ + B(3,M))*BOX/4
         DO 10 K = 1, 3
            ISEED = MOD(ISEED*1103 + 12347, 1048573)
            V(K,I) = 3.2D0*(ISEED/1048573D0 - 0.5D0)
            S(K) = S(K) + V(K,I)
10    CONTINUE
      DO 20 I = 1, N
      DO 20 K = 1, 3
20    V(K,I) = V(K,I) - S(K)/N
      END

      SUBROUTINE HALF(DT)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      DO 10 I = 1, N
      DO 10 K = 1, 3
10    V(K,I) = V(K,I) + 0.5D0*DT*F(K,I)
      END

      SUBROUTINE FORCES(EPOT)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      DIMENSION R(3)
      F = 0D0
      EPOT = 0D0
      DO 30 I = 1, N-1
      DO 30 J = I+1, N
         R = X(:,I) - X(:,J)
         R = R - BOX*ANINT(R/BOX)
         R2 = R(1)**2 + R(2)**2 + R(3)**2
         IF (R2 .GT. 6.25D0) GO TO 30
         S6 = 1D0/R2**3
         EPOT = EPOT + 4D0*S6*(S6 - 1D0)
         W = 48D0*S6*(S6 - 0.5D0)/R2
         F(:,I) = F(:,I) + W*R
         F(:,J) = F(:,J) - W*R
30    CONTINUE
      END

! UNIT 8: ONE LINE PER ATOM, POSITION AND VELOCITY
      SUBROUTINE SAVE8
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      DO 10 I = 1, N
10    WRITE (8) (X(K,I), K=1,3), (V(K,I), K=1,3)
      END

! CORRELATIONS AGAINST TIME ORIGINS MAXT STEPS APART
      SUBROUTINE CORREL(NSTEP)
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (MAXN=256, MAXT=60)
      COMMON /STATE/ X(3,MAXN), V(3,MAXN), F(3,MAXN), BOX, N
      COMMON /CORR/ C(0:MAXT), D(0:MAXT), NC(0:MAXT)
      DIMENSION X0(3,MAXN), V0(3,MAXN)
      C = 0D0
      D = 0D0
      NC = 0
      REWIND (8)
      DO 40 ISTEP = 0, NSTEP-1
         DO 10 I = 1, N
10       READ (8) (X(K,I), K=1,3), (V(K,I), K=1,3)
         K = MOD(ISTEP, MAXT+1)
         IF (K .NE. 0) GO TO 20
         X0 = X
         V0 = V
20       C(K) = C(K) + SUM(V*V0)/N
         D(K) = D(K) + SUM((X-X0)**2)/N
         NC(K) = NC(K) + 1
40    CONTINUE
      END
