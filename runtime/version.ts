import packageJson from '../package.json' with { type: 'json' };

/** Version of Castellan, as every part reports it. */
export const { version } = packageJson;
