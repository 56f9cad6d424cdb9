      PROGRAM TEPHRA
! Fall-out of volcanic ash from an eruption column.
! Particles of all phi classes are released along the column, carried by a
! sheared wind and diffused; where they reach the ground is written to the
! deposit list, the isopach grid is summed up here.
      IMPLICIT NONE
      INTEGER, PARAMETER :: NGRID = 60
      REAL(8), PARAMETER :: HCOL = 14000.0D0, DT = 60.0D0, GRID = 2000.0D0
      REAL(8), PARAMETER :: RHOP = 1100.0D0, RHOA = 1.0D0, G = 9.81D0
      REAL(8) :: DEPOSIT(NGRID, NGRID)
      REAL(8) :: X, Y, Z, PHI, D, VS, T, U, V, XLAND, MASS
      INTEGER :: NPART, I, IX, IY, NOUT
      CHARACTER(32) :: ARG

      NPART = 20000
      IF (COMMAND_ARGUMENT_COUNT() >= 1) THEN
         CALL GET_COMMAND_ARGUMENT(1, ARG)
         READ (ARG, *) NPART
      END IF

      DEPOSIT = 0.0D0
      NOUT = 0
      XLAND = 0.0D0
      OPEN (20, FILE='deposit.txt', STATUS='REPLACE')
      WRITE (20, '(A)') '   particle     x(m)        y(m)    phi   time(s)'

      DO I = 1, NPART
         CALL RELEASE(I, X, Y, Z, PHI)
         D = 1.0D-3 * 2.0D0**(-PHI)
         T = 0.0D0
         DO WHILE (Z > 0.0D0)
            CALL WIND(Z, U, V)
            VS = SETTLE(D, Z)
            X = X + U * DT + 160.0D0 * (RND() - 0.5D0)
            Y = Y + V * DT + 160.0D0 * (RND() - 0.5D0)
            Z = Z - VS * DT
            T = T + DT
         END DO
         MASS = RHOP * D**3
         IX = INT(X / GRID) + NGRID / 4
         IY = INT(Y / GRID) + NGRID / 2
         IF (IX >= 1 .AND. IX <= NGRID .AND. IY >= 1 .AND. IY <= NGRID) THEN
            DEPOSIT(IX, IY) = DEPOSIT(IX, IY) + MASS
         ELSE
            NOUT = NOUT + 1
         END IF
         XLAND = XLAND + X
         CALL LANDED(I, X, Y, PHI, T)
      END DO
      CLOSE (20)

      PRINT '(A,F10.1,A)', 'mean distance ', XLAND / NPART, ' m'
      PRINT '(A,ES12.4)', 'largest deposit ', MAXVAL(DEPOSIT)
      PRINT '(A,I8)', 'outside the grid ', NOUT

      CONTAINS

      REAL(8) FUNCTION RND()
         INTEGER(8), SAVE :: SEED = 42_8
         SEED = MOD(SEED * 16807_8, 2147483647_8)
         RND = REAL(SEED, 8) / 2147483647.0D0
      END FUNCTION RND

      SUBROUTINE RELEASE(I, X, Y, Z, PHI)
         INTEGER, INTENT(IN) :: I
         REAL(8), INTENT(OUT) :: X, Y, Z, PHI
         Z = HCOL * (0.4D0 + 0.6D0 * RND())
         X = 200.0D0 * (RND() - 0.5D0)
         Y = 200.0D0 * (RND() - 0.5D0)
         PHI = -2.0D0 + MOD(I, 6) * 0.8D0
      END SUBROUTINE RELEASE

      SUBROUTINE WIND(Z, U, V)
         REAL(8), INTENT(IN) :: Z
         REAL(8), INTENT(OUT) :: U, V
         U = 4.0D0 + 20.0D0 * EXP(-((Z - 10000.0D0) / 4000.0D0)**2)
         V = 3.0D0 * SIN(Z / 3000.0D0)
      END SUBROUTINE WIND

      REAL(8) FUNCTION SETTLE(D, Z)
! terminal velocity, intermediate regime, thinner air aloft
         REAL(8), INTENT(IN) :: D, Z
         REAL(8) :: AIR
         AIR = RHOA * EXP(-Z / 8200.0D0)
         SETTLE = SQRT(4.0D0 * G * D * RHOP / (3.0D0 * AIR * 1.2D0))
         SETTLE = MIN(SETTLE, RHOP * G * D * D / (18.0D0 * 1.7D-5))
         SETTLE = MAX(SETTLE, 0.3D0)
      END FUNCTION SETTLE

      SUBROUTINE LANDED(I, X, Y, PHI, T)
         INTEGER, INTENT(IN) :: I
         REAL(8), INTENT(IN) :: X, Y, PHI, T
         WRITE (20, '(I10,2F12.1,F7.2,F9.0)') I, X, Y, PHI, T
      END SUBROUTINE LANDED

      END PROGRAM TEPHRA
