import helmet from 'helmet';

/**
 * The panel's files and the API share one origin, which browsers reach without TLS on the machine itself; TLS, where
 * there is any, belongs to the proxy that ends it.
 */
export const securityHeaders = helmet({
  strictTransportSecurity: false,
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
