import { settingsSections } from '#contracts/operations/settings.ts';
import { sealedColumn } from '../../kernel/secrets/sealed-column.ts';

/** The contents of the sensitive fields. */
export const settingsSecrets = sealedColumn({
  table: 'settings_secrets',
  key: ['section', 'field'],
  column: 'sealed',
  describe: ([section = '', field = '']) => `${labelOf(section, field)} in the settings`,
});

/** Rows of a field that this version no longer knows still have a name. */
const labelOf = (section: string, field: string): string => {
  const known = Object.entries(settingsSections).find(([name]) => name === section)?.[1];
  const label = Object.entries(known?.fields ?? {}).find(([name]) => name === field)?.[1]?.label.en;
  return label ? `"${label}"` : `${section}.${field}`;
};
