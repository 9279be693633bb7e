# Steps of a release, which .github/workflows/publish.yml runs at each tag: make base-digest, make release,
# make check-release, make attach, make download, make publish.
#   TAG           the tag whose release `make attach` creates on GitHub, with the files in build/release and the wheels
#   PUBLISH_URL   address for uploads of the index to which `make publish` sends the wheels
#   BUILD_FLAGS   options of `sam build`, such as an image that exists: it needs Docker otherwise
RELEASE := build/release
WHEELS := build/wheels
SOURCES := build/sources
IMAGE := build/image
EMBEDDING := functions/embedding/Dockerfile
SERVER := image/Dockerfile
BUILD_FLAGS ?=
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' layers/groundwire/pyproject.toml)
argument_of = $$(sed -n 's/^ARG $(2)=//p' $(1))

.PHONY: base-digest release stack image check-release attach wheels download publish

# The images are the same for everybody who builds from this commit, until the lines are written again.
base-digest:
	@$(call write_digest,$(EMBEDDING),$(call argument_of,$(EMBEDDING),BASE):$(call argument_of,$(EMBEDDING),PYTHON)-$(call argument_of,$(EMBEDDING),ARCHITECTURE))
	@$(call write_digest,$(SERVER),$(call argument_of,$(SERVER),BASE):$(call argument_of,$(SERVER),PYTHON))

define write_digest
digest="$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$(2)")" && \
if echo "$$digest" | grep -Eqx 'sha256:[0-9a-f]{64}'; then \
	sed "s/^ARG BASE_DIGEST=.*/ARG BASE_DIGEST=@$$digest/" $(1) > $(1).new && \
	mv $(1).new $(1) && echo "$(1): @$$digest"; \
else echo "Docker answered no digest: $$digest" >&2; exit 1; fi
endef

# The locks are complete, and pip does not take `name==1` for the pin of `name[extra]`.
.venv-sam/installed.lock .venv-release/installed.lock: .venv-%/installed.lock: requirements-%.lock
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@cp $< $@

# What the release attaches: the functions and layers with the template that names them, the context of the server's
# image, the checkout with the digests that `make base-digest` has written, lists of packages, and the checksums of all.
release: stack image
	.venv-release/bin/cyclonedx-py requirements --output-reproducible -o $(RELEASE)/ServerImage.cdx.json requirements-image.lock
	commit="$$(git -c user.name=release -c user.email=release@localhost stash create)" && \
	git archive --prefix=groundwire/ -o $(RELEASE)/groundwire.tar.gz "$${commit:-HEAD}"
	cd $(RELEASE) && $(PACK) -cf groundwire-image.tar.gz -C ../image --transform 's,^\.,groundwire-image,' .
	{ (cd $(RELEASE) && sha256sum *.gz *.json) && (cd build/wheels && sha256sum *.whl); } > build/SHA256SUMS
	mv build/SHA256SUMS $(RELEASE)

# The same commit gives the same bytes.
PACK = tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$$(git log -1 --format=%ct)" --use-compress-program='gzip -n'

stack: .venv-sam/installed.lock .venv-release/installed.lock
	@for file in $(EMBEDDING) $(SERVER); do \
		grep -Eqx 'ARG BASE_DIGEST=@sha256:[0-9a-f]{64}' $$file || { echo "The base image of $$file has no digest: run make base-digest." >&2; exit 1; }; \
	done
	rm -rf $(RELEASE)
	mkdir -p $(RELEASE)
	.venv-sam/bin/sam build $(BUILD_FLAGS)
	@for layer in GroundwireLayer ParsersLayer; do $(list_of_packages) || exit 1; done
	.venv-release/bin/cyclonedx-py requirements --output-reproducible -o $(RELEASE)/EmbeddingFunction.cdx.json functions/embedding/requirements.txt
	cp samconfig.toml .aws-sam/build/
	$(PACK) -cf $(RELEASE)/groundwire-stack.tar.gz -C .aws-sam/build --transform 's,^\.,groundwire-stack,' .

image: wheels
	rm -rf $(IMAGE)
	mkdir -p $(IMAGE)
	cp image/* requirements-image.lock LICENSE NOTICE $(WHEELS)/groundwire-$(VERSION)-*.whl $(IMAGE)

# As somebody who has downloaded the files: their checksums hold, the stack has what its template names, the wheel that
# people install starts in an empty environment, and so do those that are useful alone.
ATTACHED := build/attached
EMPTY := build/empty
PIP_EMPTY = $(EMPTY)/bin/python -m pip --quiet --disable-pip-version-check
check-release:
	rm -rf $(ATTACHED) $(EMPTY)
	mkdir -p $(ATTACHED)
	ln $(RELEASE)/* $(WHEELS)/*.whl $(ATTACHED)
	cd $(ATTACHED) && sha256sum --check --quiet SHA256SUMS && tar -xzf groundwire-stack.tar.gz && tar -xzf groundwire-image.tar.gz
	cd $(ATTACHED)/groundwire-stack && for path in $$(sed -n 's/^ *\(CodeUri\|ContentUri\): *\([A-Z][A-Za-z]*\)$$/\2/p' template.yaml); do test -d $$path || exit 1; done
	$(PYTHON) -m venv $(EMPTY)
	$(PIP_EMPTY) install --no-compile --require-hashes -r requirements.lock
	$(PIP_EMPTY) install --no-compile --no-deps --no-index $(ATTACHED)/groundwire-$(VERSION)-*.whl
	$(PIP_EMPTY) check
	test "$$($(EMPTY)/bin/groundwire --version)" = "groundwire $(VERSION)"
	$(PIP_EMPTY) uninstall --yes groundwire
	$(PIP_EMPTY) install --no-compile --no-deps --no-index $(ALONE:%=$(ATTACHED)/groundwire_%-*.whl)
	$(PIP_EMPTY) check
	cd $(EMPTY) && bin/python -c "import $$(printf 'groundwire_%s, ' $(ALONE) | sed 's/, $$//')"
	rm -rf $(ATTACHED) $(EMPTY)

# The tool lists the packages of an environment: an empty one, whose path is the layer.
define list_of_packages
echo "Packages of $$layer" && rm -rf build/packages && $(PYTHON) -m venv --without-pip build/packages && \
echo "$(CURDIR)/.aws-sam/build/$$layer/python" > "$$(echo build/packages/lib/python*/site-packages)/layer.pth" && \
.venv-release/bin/cyclonedx-py environment --output-reproducible -o $(RELEASE)/$$layer.cdx.json build/packages
endef

attach:
	@test "$$TAG" = "v$(VERSION)" || { echo "The tag $$TAG is not v$(VERSION), the version of the packages." >&2; exit 1; }
	gh release create "$$TAG" --verify-tag --title "$$TAG" --notes "The changes are in CHANGELOG.md." $(RELEASE)/* $(WHEELS)/*.whl

download:
	gh release download "$$TAG" --pattern '*.whl' --dir $(WHEELS)

# The wheel of the checkout, which people install, and those of the packages that are useful alone. From an export of the
# commit, because setuptools leaves files beside the sources. Each has the licence; its bytes depend on the commit alone.
ALONE := egress mcp readers
wheels: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
wheels: .venv-release/installed.lock
	rm -rf $(SOURCES) $(WHEELS)
	mkdir -p $(SOURCES)
	git archive HEAD | tar -x -C $(SOURCES)
	for name in $(ALONE); do cp $(SOURCES)/LICENSE $(SOURCES)/NOTICE $(SOURCES)/layers/$$name || exit 1; done
	.venv-release/bin/python -m pip wheel --quiet --disable-pip-version-check --no-index --no-build-isolation --no-deps \
		-w $(WHEELS) $(SOURCES) $(ALONE:%=$(SOURCES)/layers/%)

# The index trusts the identity of the workflow, which uv exchanges for a token of minutes: no secret is stored.
publish: .venv-release/installed.lock
	@test -n "$$PUBLISH_URL" || { echo "Set PUBLISH_URL to the address for uploads of your index." >&2; exit 1; }
	.venv-release/bin/uv publish --no-config --trusted-publishing always --publish-url "$$PUBLISH_URL" $(WHEELS)/*.whl
