import helmet from 'helmet';

const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: false };

/**
 * The panel's files and the API share one origin, so no response carries Access-Control headers and no other origin can read
 * any.
 * @param tls whether the API itself speaks TLS; behind a TLS proxy, the proxy decides on strict transport security
 */
export const securityHeaders = (tls: boolean) =>
  helmet({
    strictTransportSecurity: tls && strictTransportSecurity,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The panel's component library sets inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
