# SPDX-License-Identifier: Apache-2.0
"""kmeans: clusters that lie apart are found exactly; the result does not depend on the processes."""

import pathlib
import random
import re
import xml.etree.ElementTree

import jobs

CITIES = str(pathlib.Path(__file__).resolve().parents[2] / "examples/data/cities.csv")
CLUSTER = re.compile(r"cluster \d+: (\d+) rows around (.*)")


def clusters_of(lines):
    """(rows, centre) of every cluster, sorted."""
    found = [CLUSTER.match(line) for line in lines[:-1]]
    return sorted((int(match.group(1)), [float(part.split("=")[1]) for part in match.group(2).split()])
                  for match in found)


class KMeans(jobs.JobTest):
    def test_clusters_that_lie_apart(self):
        generator = random.Random(9)
        clusters = [[(x + generator.random(), 1000 * (y + generator.random()), 7) for _ in range(rows)]
                    for rows, x, y in ((50, 0, 0), (31, 40, 5), (120, 20, 60), (7, -30, 30))]
        rows = [row for cluster in clusters for row in cluster]
        generator.shuffle(rows)
        lines = "\n".join(f"{x!r}, {y!r},{c}" for x, y, c in rows)
        path = self.file("rows.csv", f'"x","y",constant\r\n{lines}\n\n')
        expected = sorted((len(cluster), [sum(column) / len(cluster) for column in zip(*cluster)])
                          for cluster in clusters)
        for size in jobs.job_sizes(1, 2, 3, 6):
            with self.subTest(size=size):
                found = clusters_of(self.fine(size, "kmeans", "--clusters", "4", path).lines)
                for (rows_found, centre_found), (rows_wanted, centre) in zip(found, expected, strict=True):
                    self.assertEqual(rows_found, rows_wanted)
                    for value, wanted in zip(centre_found, centre, strict=True):
                        self.assertAlmostEqual(value / wanted, 1, places=4)

    def test_result_does_not_depend_on_the_processes(self):
        alone = self.fine(jobs.ALONE, "kmeans", "--clusters", "6", CITIES).lines[:-1]
        self.assertEqual(len(alone), 6)
        for size in jobs.job_sizes(2, 5):
            with self.subTest(size=size):
                self.assertEqual(self.fine(size, "kmeans", "--clusters", "6", CITIES).lines[:-1], alone)

    def test_every_row_is_drawn(self):
        path = self.file("rows.csv", "a,b<&,c\n1,2,3\n1,2,3\n4,5,1e3\n")
        for size in jobs.job_sizes(5):  # more processes than rows
            with self.subTest(size=size):
                self.fine(size, "kmeans", "--clusters", "2", "--columns", "c,b<&", "--output", "plot.svg", path)
                svg = xml.etree.ElementTree.parse(self.folder / "plot.svg").getroot()
                name = "{http://www.w3.org/2000/svg}"
                circles = [circle.get("r") for circle in svg.iter(name + "circle")]
                self.assertEqual((circles.count("3.5"), circles.count("8"), circles.count("6")), (3, 2, 2))
                words = [text.text for text in svg.iter(name + "text")]
                self.assertTrue({"c", "b<&", "cluster 1 (2)", "cluster 2 (1)"} <= set(words) or
                                {"c", "b<&", "cluster 1 (1)", "cluster 2 (2)"} <= set(words), words)

    def test_equal_rows(self):
        path = self.file("rows.csv", "a,b\n" + "1,1\n" * 10)
        for size in jobs.job_sizes(3):
            with self.subTest(size=size):
                self.assertEqual(sum(n for n, _ in clusters_of(self.fine(size, "kmeans", path).lines)), 10)

    def test_bad_tables(self):
        rows = "1,2\n" * 100
        for content, complaint in (("a,b\n" + rows + "3,x\n" + rows, ":102: 'x' is not a number"),
                                   ("a,b\n" + rows + "3\n", ":102: 1 columns, but the header has 2"),
                                   ("a,b\n1,nan\n", ":2: 'nan' is not finite"),
                                   ("a,b\n1,\n", ":2: '' is not a number"),
                                   ("a,b\n1,2\n\n", ": 1 rows are too few for 3 clusters"),
                                   ("alone\n1\n", ":1: a header with two or more columns is needed"),
                                   ("", ":1: a header with two or more columns is needed")):
            path = self.file("bad.csv", content)
            for size in jobs.job_sizes(1, 4):
                with self.subTest(size=size, complaint=complaint):
                    self.refused(size, path + complaint, "kmeans", path)
        path = self.file("good.csv", "a,b\n" + rows)
        for size in jobs.job_sizes(4):
            self.refused(size, path + ":1: no column 'c'", "kmeans", "--columns", "a,c", path)


if __name__ == "__main__":
    jobs.main()
