"""Trains a random forest on digits that come with the package, saves it (scikit-learn)."""

import joblib
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier

images, labels = load_digits(return_X_y=True)
forest = RandomForestClassifier(n_estimators=300, random_state=1).fit(images, labels)
joblib.dump(forest, "forest.joblib")
