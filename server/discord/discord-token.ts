import { sealedColumn } from '../kernel/secrets/sealed-column.ts';

export const discordTokenColumn = sealedColumn({
  table: 'discord_settings',
  key: ['id'],
  column: 'token',
  describe: () => 'the token of the Discord bot',
});
