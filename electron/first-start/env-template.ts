import { product } from '#contracts/kernel/product.ts';
import type { stackEnv } from '#runtime/stack-config.ts';

export type StackVariable = keyof typeof stackEnv.shape;
export type StackValues = Partial<Readonly<Record<StackVariable, string>>>;

interface Entry {
  readonly name: StackVariable;
  readonly comment: readonly string[];
  /** The value written when no other one is given; without one the line is commented out or left empty. */
  readonly value?: string;
  /** Shown commented out when there is no value, since an empty one would say nothing. */
  readonly example?: string;
}

interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const sections: readonly Section[] = [
  {
    title: 'The secrets of this installation. Never copy them into version control.',
    entries: [
      {
        name: 'CONFIG_ENCRYPTION_KEY',
        comment: [
          '32 bytes in hexadecimal. Encrypts the secrets in the database (AES-256-GCM). To change it: castellan key rotate, or replace',
          'it here. Castellan keeps the key before it in encryption-keys.json beside this file for as long as a secret needs it.',
        ],
      },
      {
        name: 'CONFIG_ENCRYPTION_KEY_PREVIOUS',
        comment: ['Older keys that Castellan does not have, separated by commas. They only decrypt.'],
        example: '',
      },
      {
        name: 'GAME_AGENT_SECRET',
        comment: ["Shared with the Game Agents: each agent's config.json has the same value."],
      },
      { name: 'INTERNAL_API_SECRET', comment: ['Shared by the bot and the API. Nothing else needs it.'] },
      { name: 'INSTANCE_ID', comment: ['Identifies this installation to the license portal. Created once.'] },
    ],
  },
  {
    title: 'Database',
    entries: [
      {
        name: 'DATABASE_URL',
        comment: [
          'The embedded Postgres. A changed port or password takes effect at the next restart.',
          'connection_limit caps all connections of the API; a backup, while it is taken, has one more.',
        ],
      },
    ],
  },
  {
    title: 'API',
    entries: [
      {
        name: 'API_HOST',
        comment: ['127.0.0.1 keeps it on this machine; 0.0.0.0 opens it to the network.'],
        value: '127.0.0.1',
      },
      { name: 'API_PORT', comment: [], value: String(product.apiPort) },
      {
        name: 'TRUST_PROXY',
        comment: [
          'Behind a reverse proxy: the number of proxies, or their addresses. Connections of one address are limited: proxies that',
          'only have a number are exempt on this machine and in private networks, others where their addresses stand here.',
        ],
        example: 'loopback',
      },
      {
        name: 'TLS_CERT_FILE',
        comment: [
          'Certificate with its chain, in PEM or DER; a relative path begins at this folder. With it the API speaks TLS.',
        ],
        example: 'tls/certificate.pem',
      },
      { name: 'TLS_KEY_FILE', comment: ['The private key of that certificate.'], example: 'tls/key.pem' },
      {
        name: 'LOG_LEVEL',
        comment: ['trace, debug, info, warn, error, fatal or silent.'],
        value: 'info',
      },
      { name: 'AUDIT_LOG_RETENTION_DAYS', comment: ['At least 1.'], value: '365' },
      { name: 'EVENT_LOG_RETENTION_DAYS', comment: ['7 to 730.'], value: '90' },
    ],
  },
  {
    title: 'License',
    entries: [
      {
        name: 'LICENSE_SERVER_URL',
        comment: ['The portal that issues the license. Comes with the program.'],
      },
      {
        name: 'LICENSE_SERVER_PUBLIC_KEY',
        comment: ["The portal's Ed25519 public key: 32 bytes in base64url. Comes with the program."],
      },
      {
        name: 'LICENSE_GRACE_PERIOD_DAYS',
        comment: ['0 to 30 days of work while the portal cannot be reached.'],
        value: '7',
      },
      {
        name: 'LICENSE_PROXY',
        comment: [
          "A proxy for the license portal alone, in place of HTTPS_PROXY; the portal's address has to begin with https then.",
        ],
        example: 'http://name:password@proxy.example:8080',
      },
    ],
  },
  {
    title: 'The way to the internet',
    entries: [
      {
        name: 'HTTPS_PROXY',
        comment: [
          'The HTTP proxy of this network: the portal, Discord, the sources of mods and updates are reached through it. A Windows',
          "account is written as DOMAIN\\name. Without it, the proxy of this computer's settings is tried.",
        ],
        example: 'http://name:password@proxy.example:8080',
      },
      {
        name: 'NO_PROXY',
        comment: [
          'What is reached without the proxy, separated by commas. This computer and its network always are; * is everything.',
        ],
        example: 'portal.example,10.0.0.0/8',
      },
      {
        name: 'TRUSTED_CA_FILE',
        comment: [
          'The root certificate of an antivirus or of a company that looks into connections, if the system does not trust it already:',
          'PEM or DER (.cer); a relative path begins at this folder.',
        ],
        example: 'tls/company-root.cer',
      },
    ],
  },
  {
    title: 'Discord bot',
    entries: [
      {
        name: 'DISCORD_BOT_TOKEN',
        comment: [
          'Leave these three empty to set the bot up in the panel, under Discord: what stands here wins over it.',
          'The token is from the Discord developer portal; with the intents GUILD_MEMBERS and MESSAGE_CONTENT.',
        ],
        value: '',
      },
      { name: 'CLIENT_ID', comment: ['Id of the Discord application.'], value: '' },
      { name: 'GUILD_ID', comment: ['Id of the Discord server.'], value: '' },
      {
        name: 'DISCORD_API_URL',
        comment: ["Another service that speaks Discord's protocol, version 10."],
        example: 'https://discord.com/api',
      },
      {
        name: 'DISCORD_GATEWAY_URL',
        comment: ['Its gateway, if it is not the one that the service names.'],
        example: 'wss://gateway.discord.gg',
      },
      {
        name: 'DISCORD_CDN_URL',
        comment: ['Its pictures.'],
        example: 'https://cdn.discordapp.com',
      },
      {
        name: 'API_URL',
        comment: ['Where the bot reaches the API, if not at its own port on this machine.'],
        example: `http://127.0.0.1:${product.apiPort}`,
      },
    ],
  },
  {
    title: 'Sources of mods',
    entries: [
      {
        name: 'MODRINTH_API_URL',
        comment: [
          "Other services that speak the protocols of Modrinth's API (version 2), CurseForge's (version 1) and Steam's Web API.",
          'CurseForge wants a key of your own, which the panel keeps: Settings, Mods.',
        ],
        example: 'https://api.modrinth.com',
      },
      { name: 'CURSEFORGE_API_URL', comment: [], example: 'https://api.curseforge.com' },
      { name: 'STEAM_API_URL', comment: [], example: 'https://api.steampowered.com' },
    ],
  },
];

const head = [
  '# Castellan: the settings of this installation.',
  '# A change takes effect after: castellan restart',
];

/** The text of a complete `.env`; a first start writes it, and `.env.example` is the same without real values. */
export const renderEnv = (values: StackValues): string =>
  [head, ...sections.map((section) => renderSection(section, values))]
    .map((lines) => lines.join('\n'))
    .join('\n\n')
    .concat('\n');

const renderSection = ({ title, entries }: Section, values: StackValues): string[] => [
  `# --- ${title}`,
  ...entries.flatMap((entry) => renderEntry(entry, values[entry.name])),
];

const renderEntry = ({ name, comment, value, example }: Entry, given: string | undefined): string[] => {
  const text = given ?? value;
  const line = text === undefined && example !== undefined ? `# ${name}=${example}` : `${name}=${text ?? ''}`;
  return [...comment.map((words) => `# ${words}`), line];
};

/** Lines for variables that an older or a shortened file lacks. */
export const renderAdditions = (values: StackValues): string => {
  const entries = sections.flatMap((section) => section.entries).filter(({ name }) => name in values);
  return ['# --- Added by Castellan', ...entries.flatMap((entry) => renderEntry(entry, values[entry.name]))]
    .join('\n')
    .concat('\n');
};
