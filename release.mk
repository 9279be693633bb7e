# Steps of a release, which .github/workflows/publish.yml runs at each tag: make base-digest, make release, make attach,
# make wheels, make download, make publish.
#   TAG           the tag whose release `make attach` creates on GitHub, with the files in build/release and the wheels
#   PUBLISH_URL   address for uploads of the index to which `make publish` sends the wheels
#   BUILD_FLAGS   options of `sam build`, such as an image that exists: it needs Docker otherwise
RELEASE := build/release
WHEELS := build/wheels
SOURCES := build/sources
DOCKERFILE := functions/embedding/Dockerfile
BUILD_FLAGS ?=
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' layers/groundwire/pyproject.toml)
argument_of = $$(sed -n 's/^ARG $(1)=//p' $(DOCKERFILE))

.PHONY: base-digest release attach wheels download publish

# The image is the same for everybody who builds from this commit, until the line is written again.
base-digest:
	@digest="$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$(call argument_of,BASE):$(call argument_of,PYTHON)-$(call argument_of,ARCHITECTURE)")" && \
	if echo "$$digest" | grep -Eqx 'sha256:[0-9a-f]{64}'; then \
		sed "s/^ARG BASE_DIGEST=.*/ARG BASE_DIGEST=@$$digest/" $(DOCKERFILE) > $(DOCKERFILE).new && \
		mv $(DOCKERFILE).new $(DOCKERFILE) && echo "Dockerfile: @$$digest"; \
	else echo "Docker answered no digest: $$digest" >&2; exit 1; fi

# The locks are complete, and pip does not take `name==1` for the pin of `name[extra]`.
.venv-sam/installed.lock .venv-release/installed.lock: .venv-%/installed.lock: requirements-%.lock
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@cp $< $@

# The archive has the files of the commit as they are now: with the digest that `make base-digest` has written.
release: .venv-sam/installed.lock .venv-release/installed.lock
	@grep -Eqx 'ARG BASE_DIGEST=@sha256:[0-9a-f]{64}' $(DOCKERFILE) || { echo "The base image has no digest: run make base-digest." >&2; exit 1; }
	rm -rf $(RELEASE)
	mkdir -p $(RELEASE)
	.venv-sam/bin/sam build $(BUILD_FLAGS)
	@for layer in GroundwireLayer ParsersLayer; do $(list_of_packages) || exit 1; done
	.venv-release/bin/cyclonedx-py requirements --output-reproducible -o $(RELEASE)/EmbeddingFunction.cdx.json functions/embedding/requirements.txt
	commit="$$(git -c user.name=release -c user.email=release@localhost stash create)" && \
	git archive --prefix=groundwire/ -o $(RELEASE)/groundwire.tar.gz "$${commit:-HEAD}"

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
