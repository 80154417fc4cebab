import packageJson from '../package.json' with { type: 'json' };

/** Version of Castellan, as every component reports it. */
export const { version } = packageJson;
