// An OpenID Connect provider on this machine: what stands in argv[2], as JSON, says who may sign in and what their
// tokens hold. It prints one line when it listens and ends with its standard input.
import Provider from 'oidc-provider';

const { port, jwks, tokens, client } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  jwks,
  clients: [client],
  cookies: { keys: ['a key of the tests'] },
  findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  extraTokenClaims: (_, token) => tokens[token.accountId] ?? {},
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource) => ({
        scope: 'groundwire:search groundwire:verify',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: jwks.keys[0].alg } },
      }),
    },
  },
});

const server = provider.listen(port, '127.0.0.1', () => console.log('listening'));
process.stdin.on('end', () => server.close(() => process.exit(0)) && server.closeAllConnections()).resume();
