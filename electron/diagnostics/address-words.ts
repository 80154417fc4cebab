import {
  type AddressTest,
  clockNoticeS,
  type OutsideAddressKind,
} from '#contracts/operations/outside-addresses.ts';

const names: Readonly<Record<OutsideAddressKind, string>> = {
  proxy: 'proxy',
  'license-portal': 'license portal',
  discord: 'Discord',
  'discord-gateway': 'Discord gateway',
  modrinth: 'Modrinth',
  curseforge: 'CurseForge',
  steam: 'Steam',
  updates: 'updates',
  'public-address': 'public address',
};

const vouchers = {
  bundled: 'a public authority',
  system: "this computer's store",
  'own-file': 'TRUSTED_CA_FILE',
} as const;

/** Such as `Discord (https://discord.com): reached through proxy.example:8080 in 120 ms, …`. */
export const describeTest = (test: AddressTest): string => {
  const { kind, address, fault, proxy, passedOver, signedBy, clockAheadS, tookMs } = test;
  const way = proxy === null ? 'directly' : `through ${proxy}`;
  const said = [
    fault === null ? `reached ${way} in ${tookMs} ms` : `NOT reached (${way}): ${fault}`,
    ...(signedBy === null
      ? []
      : [`signed by ${signedBy.name}${signedBy.source ? ` (${vouchers[signedBy.source]})` : ''}`]),
    ...(clockAheadS !== null && Math.abs(clockAheadS) >= clockNoticeS
      ? [`this computer's clock is ${Math.abs(clockAheadS)} s ${clockAheadS > 0 ? 'ahead' : 'behind'}`]
      : []),
    ...(passedOver === null ? [] : [`without the proxy that this computer names: ${passedOver}`]),
  ];
  return `${names[kind]} (${address}): ${said.join('; ')}`;
};
