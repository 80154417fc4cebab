/** Whom or what an audit row names, as `kind:id`. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

export const referenceIn = (text: string): Reference => {
  const [kind = '', ...id] = text.split(':');
  return { kind, id: id.join(':') };
};

const pages: Readonly<Record<string, (id: string) => string>> = {
  admin: (id) => `/admins/${id}`,
  'api-key': () => '/api-keys',
  cluster: () => '/clusters',
  discord: () => '/discord',
  'discord-role': () => '/discord/roles',
  'discord-role-rule': () => '/discord/roles',
  delivery: (id) => `/deliveries/${id}`,
  player: (id) => `/players/${id}`,
  queue: (id) => `/queues/${id}`,
  role: () => '/roles',
  server: (id) => `/servers/${id}`,
  settings: (id) => `/settings?section=${id}`,
};

/** The page of the panel that shows it; null where none does. */
export const addressOfReference = ({ kind, id }: Reference): string | null =>
  Object.hasOwn(pages, kind) ? (pages[kind]?.(encodeURIComponent(id)) ?? null) : null;
