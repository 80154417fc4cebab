/** Fields of audited values that name other things by their ids (also in lists), and the kinds of those things. */
const referenceFields: Readonly<Record<string, string>> = {
  adminId: 'admin',
  clusterId: 'cluster',
  clusterIds: 'cluster',
  copiedFrom: 'product',
  deliveryId: 'delivery',
  deliveryIds: 'delivery',
  discordId: 'discord-user',
  memberId: 'member',
  mergedId: 'member',
  orderId: 'order',
  playerId: 'player',
  productId: 'product',
  productIds: 'product',
  receiverId: 'member',
  role: 'role',
  serverId: 'server',
  serverIds: 'server',
  servers: 'server',
  toMemberId: 'member',
};

/** The kind that a field's id refers to; null for a field that refers to nothing. */
export const kindNamedBy = (field: string): string | null =>
  Object.hasOwn(referenceFields, field) ? (referenceFields[field] ?? null) : null;

/** Rows are nested no deeper than people read. */
const mostDepth = 4;

/** All ids that a value refers to, as `kind:id`. */
export const referencesIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value !== 'object' || value === null || depth > mostDepth) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const kind = kindNamedBy(field);
    const ids = kind === null ? [] : [inner].flat().filter((id) => typeof id === 'string' && id !== '');
    return ids.length > 0 ? ids.map((id) => `${kind}:${id}`) : referencesIn(inner, depth + 1);
  });
};
