      PROGRAM PTRAP
!
!     ORBITS OF IONS IN A QUADRUPOLE (PAUL) TRAP WITH BUFFER GAS
!     INTEGRATION BY RUNGE-KUTTA OF ORDER 4, SECULAR FREQUENCY FROM
!     THE CROSSINGS OF THE PLANE Z=0.
!     UNIT 7 = ORBIT FILE (READ BY PTPLOT)
!     ARGUMENTS: NUMBER OF IONS, STEPS PER ION
!
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      COMMON /TRAP/ A, Q, GAM
      COMMON /RAND/ ISEED
      DIMENSION Y(4)
      CHARACTER(LEN=16) ARG
      NION = 20
      NSTEP = 20000
      IF (COMMAND_ARGUMENT_COUNT() .GE. 1) THEN
         CALL GET_COMMAND_ARGUMENT(1, ARG)
         READ (ARG,*) NION
      END IF
      IF (COMMAND_ARGUMENT_COUNT() .GE. 2) THEN
         CALL GET_COMMAND_ARGUMENT(2, ARG)
         READ (ARG,*) NSTEP
      END IF
!
!     MATHIEU PARAMETERS AND DAMPING (DIMENSIONLESS TIME XI = OMEGA*T/2)
!
      A = 0.02D0
      Q = 0.35D0
      GAM = 0.0008D0
      ISEED = 12345
      H = 3.14159265358979D0 / 40.D0
      CALL OPNORB
      FSUM = 0.D0
      NLOST = 0
      DO 100 ION = 1, NION
         Y(1) = 0.4D0 * RNDM()
         Y(2) = 0.2D0 * (RNDM() - 0.5D0)
         Y(3) = 0.3D0 * RNDM() + 0.05D0
         Y(4) = 0.2D0 * (RNDM() - 0.5D0)
         XI = 0.D0
         NCROSS = 0
         DO 50 I = 1, NSTEP
            ZOLD = Y(3)
            CALL RK4(XI, Y, H)
            IF (ZOLD * Y(3) .LT. 0.D0) NCROSS = NCROSS + 1
            IF (MOD(I,97) .EQ. 0) CALL KICK(Y)
            IF (ABS(Y(1)) .GT. 5.D0 .OR. ABS(Y(3)) .GT. 5.D0) THEN
               NLOST = NLOST + 1
               GO TO 60
            END IF
            CALL PUTORB(ION, XI, Y)
   50    CONTINUE
   60    FSUM = FSUM + 0.5D0 * NCROSS / MAX(XI, H)
  100 CONTINUE
      CLOSE (7)
      WRITE (*,200) NION, NLOST, FSUM / NION
  200 FORMAT (1X,I5,' IONS, ',I4,' LOST, MEAN SECULAR FREQUENCY',F10.6)
      END
!
      SUBROUTINE OPNORB
      OPEN (7, FILE='orbits.dat', FORM='UNFORMATTED', ACCESS='STREAM', STATUS='REPLACE')
      END
!
      SUBROUTINE PUTORB(ION, XI, Y)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION Y(4)
      REAL REC(6)
      REC(1) = REAL(ION)
      REC(2) = REAL(XI)
      DO 10 K = 1, 4
         REC(K+2) = REAL(Y(K))
   10 CONTINUE
      WRITE (7) REC
      CALL FLUSH(7)
      END
!
      SUBROUTINE FORCE(XI, Y, F)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      COMMON /TRAP/ A, Q, GAM
      DIMENSION Y(4), F(4)
      W = A - 2.D0 * Q * COS(2.D0 * XI)
      F(1) = Y(2)
      F(2) = 0.5D0 * W * Y(1) - GAM * Y(2)
      F(3) = Y(4)
      F(4) = -W * Y(3) - GAM * Y(4)
      END
!
      SUBROUTINE RK4(XI, Y, H)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION Y(4), Z(4), F1(4), F2(4), F3(4), F4(4)
      CALL FORCE(XI, Y, F1)
      Z = Y + 0.5D0 * H * F1
      CALL FORCE(XI + 0.5D0 * H, Z, F2)
      Z = Y + 0.5D0 * H * F2
      CALL FORCE(XI + 0.5D0 * H, Z, F3)
      Z = Y + H * F3
      CALL FORCE(XI + H, Z, F4)
      Y = Y + H / 6.D0 * (F1 + 2.D0 * F2 + 2.D0 * F3 + F4)
      XI = XI + H
      END
!
      SUBROUTINE KICK(Y)
!     COLLISION WITH A BUFFER GAS ATOM
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION Y(4)
      Y(2) = Y(2) + 0.004D0 * (RNDM() - 0.5D0)
      Y(4) = Y(4) + 0.004D0 * (RNDM() - 0.5D0)
      END
!
      DOUBLE PRECISION FUNCTION RNDM()
      COMMON /RAND/ ISEED
      ISEED = MOD(ISEED * 1366 + 150889, 714025)
      RNDM = ISEED / 714025.D0
      END
