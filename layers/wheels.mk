# Steps that both layers share: each layer's Makefile includes this file, and `sam build` copies it beside the layer
# (ProjectRootDirectory in template.yaml).
#   RUNTIME   the Python that the functions run on
#   ARCH      their processor: arm64 or x86_64
#   PYTHON    any Python with pip; needs to be neither of the two
PYTHON ?= python3
RUNTIME ?= 3.13
ARCH ?= arm64
LIBRARIES = "$(ARTIFACTS_DIR)/python"
MACHINE = $(patsubst arm64,aarch64,$(ARCH))

# Bytecode belongs to one version of Python: only that one can write it.
COMPILER ?= $(shell for each in python$(RUNTIME) $(PYTHON) "$$HOME"/.pyenv/versions/$(RUNTIME).*/bin/python; do \
	[ "$$($$each -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = $(RUNTIME) ] && echo $$each && break; done)

define install_wheels
$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-compile --target $(LIBRARIES) \
	--python-version $(RUNTIME) --platform manylinux_2_28_$(MACHINE) --platform manylinux2014_$(MACHINE) \
	--only-binary=:all: --require-hashes -r requirements.txt
find $(LIBRARIES) -name '*.pyi' -delete
endef

# Scanners read from these lists which files a package has: they name what is left here. Digests are computed again, as
# one published list has another than its file. Descriptions, licences and sboms stay as they were published.
define correct_records
cd $(LIBRARIES) && $(PYTHON) -c 'import base64, csv, hashlib, pathlib; \
[csv.writer(record.open("w", newline=""), lineterminator="\n").writerows(rows) \
for record in pathlib.Path().glob("*.dist-info/RECORD") \
for rows in [[[name, kind and "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).decode().rstrip("="), size] \
for name, kind, size in csv.reader(record.open(newline="")) for file in [pathlib.Path(name)] if file.is_file()]]]'
endef

define compile_modules
find $(LIBRARIES) -type d -name __pycache__ -prune -exec rm -rf {} +
@if [ -n "$(COMPILER)" ]; then \
	"$(COMPILER)" -m compileall -q --invalidation-mode unchecked-hash -s "$(ARTIFACTS_DIR)" -p /opt $(LIBRARIES); \
else echo "No Python $(RUNTIME) here: built without bytecode, so that each cold start compiles what it imports."; fi
@du -sm "$(ARTIFACTS_DIR)" | awk '{ print "$(1): " $$1 " MB unpacked" }'
endef
