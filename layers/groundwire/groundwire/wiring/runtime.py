"""State of one process: the services of its entries, each built on first use and dropped together."""

import os
from typing import TYPE_CHECKING

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.settings import environment
from groundwire.wiring.lazy import Lazy, ResourceStack

if TYPE_CHECKING:
    from groundwire.adapters.parse.function.parser_function import ParserFunction
    from groundwire.wiring.cloud.backends import CloudBackends
    from groundwire.wiring.cloud.services import ApiFunction, IngestionFunction, McpFunction
    from groundwire.wiring.local.services import LocalServices
    from groundwire.wiring.use_cases.access import AccessUseCases
    from groundwire.wiring.use_cases.reading import ReadingUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases


class Runtime:
    """Services of this process by its environment, which is read on first use and again after `reset`."""

    def __init__(self) -> None:
        self._resources = ResourceStack()
        self._home_is_required = False

    def require_home(self) -> None:
        """Make `local` reject a missing home, until `allow_new_home` or `reset`."""
        self._home_is_required = True

    def allow_new_home(self) -> None:
        """Allow `local` to create a missing home."""
        self._home_is_required = False

    def local(self) -> "LocalServices":
        """Return the services of this machine.

        Raises:
            InvalidInput: a setting is invalid.
            NotFound: there is no home, and `require_home` was called.
            Unavailable: this is a Lambda function without a home folder.
        """
        services = self._local
        if self._home_is_required and not services.stores.has_home:
            raise NotFound(
                f"There is no Groundwire home in {services.settings.home}. Create one with `groundwire "
                "tenant create NAME` or `groundwire demo`, or set GROUNDWIRE_HOME to another folder."
            )
        return services

    def use_local(self, services: "LocalServices") -> None:
        """Take these as the services of this machine, until `reset`; the caller that built them closes them."""
        # Where `Lazy` looks for the value, so that no home is opened.
        vars(self)["_local"] = services

    @Lazy
    def _local(self) -> "LocalServices":
        # A function that lost its settings must not open a home of its own.
        if "AWS_LAMBDA_FUNCTION_NAME" in os.environ and "GROUNDWIRE_HOME" not in os.environ:
            raise Unavailable("This function has neither tables nor a folder: deploy the stack again.")
        from groundwire.wiring.local.services import open_home

        return self._resources.register(open_home(environment.read_settings(os.environ)))

    @Lazy
    def authorizer(self) -> "AccessUseCases":
        """Services of the deployed authorizer function; errors as in `api`."""
        from groundwire.wiring.cloud.services import build_authorizer

        return build_authorizer(self._cloud_backends)

    @Lazy
    def mcp(self) -> "McpFunction":
        """Services of the deployed mcp function; errors as in `api`."""
        from groundwire.wiring.cloud.services import build_mcp

        return build_mcp(self._cloud_backends, self._reading, self.sources)

    @Lazy
    def api(self) -> "ApiFunction":
        """Services of the deployed api and operator functions.

        Raises:
            InvalidInput: a setting is invalid.
        """
        from groundwire.wiring.cloud.services import build_api

        return build_api(self._cloud_backends, self.authorizer, self._reading, self.sources)

    @Lazy
    def sources(self) -> "SourceUseCases":
        """Services of the deployed sources function; errors as in `api`."""
        from groundwire.wiring.cloud.services import build_sources

        return build_sources(self._cloud_backends)

    @Lazy
    def _reading(self) -> "ReadingUseCases":
        # One for all entries of the process: budgets of tokens and caches count in it.
        from groundwire.wiring.cloud.services import build_reading

        return build_reading(self._cloud_backends, self.sources)

    @Lazy
    def ingestion(self) -> "IngestionFunction":
        """Services of the deployed ingestion function; errors as in `api`."""
        from groundwire.wiring.cloud.services import build_ingestion

        return build_ingestion(self._cloud_backends)

    @Lazy
    def _cloud_backends(self) -> "CloudBackends":
        from groundwire.wiring.cloud.backends import cloud_backends

        return cloud_backends(environment.read_settings(os.environ), environment.deployment_settings(os.environ))

    @Lazy
    def confined_parser(self) -> "ParserFunction":
        """The use case of the parser function, which reads nothing where the kernel refuses to confine its worker.

        Raises:
            InvalidInput: a setting is missing or invalid.
        """
        return self._parser(allow_unconfined=False)

    @Lazy
    def unconfined_parser(self) -> "ParserFunction":
        """The use case of the parser function that reads documents in any case; errors as in `confined_parser`."""
        return self._parser(allow_unconfined=True)

    def _parser(self, *, allow_unconfined: bool) -> "ParserFunction":
        from groundwire.adapters.parse.function.own_process import OwnProcess
        from groundwire.wiring.cloud.parsing import build_parser_function

        process = OwnProcess()
        # Hides this process from workers, which start later.
        process.protect()
        parser = build_parser_function(os.environ, process, allow_unconfined=allow_unconfined)
        return self._resources.register(parser)

    def reset(self) -> None:
        """Close what was opened and drop all services; the next call reads the environment again.

        No other thread may use the services meanwhile.
        """
        resources = self._resources
        # `Lazy` keeps its values in `vars`, so that this drops all of them.
        vars(self).clear()
        self.__init__()
        # Last: after an error of closing, this object can still be used.
        resources.close()
