import helmet from 'helmet';

const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: false };

/**
 * The panel's files and the API share one origin, so no answer carries Access-Control headers: no other origin reads any.
 * @param tls whether the API itself speaks TLS; where a proxy does, the proxy decides on strict transport security
 */
export const securityHeaders = (tls: boolean) =>
  helmet({
    strictTransportSecurity: tls && strictTransportSecurity,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The panel's component library sets styles on elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
