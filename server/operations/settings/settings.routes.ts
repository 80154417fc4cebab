import { settingsHttp, settingsSections } from '#contracts/operations/settings.ts';
import { Problem } from '#runtime/problem.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Settings } from '../settings.ts';
import { type FieldFault, readSectionChange } from './section-change.ts';

export const bindSettingsRoutes = (routes: ApiRoutes, settings: Settings): void => {
  routes.on(settingsHttp.list, async () => ({ sections: await settings.describeAll() }));

  routes.on(settingsHttp.change, async ({ params: { section }, body }, by) => {
    const reading = readSectionChange(settingsSections[section], body.values);
    if (reading.outcome === 'invalid') throw invalid(reading.faults);
    const { version } = body;
    const outcome = await settings.save({ section, version, change: reading.change, by });
    if (outcome === 'conflict')
      throw new Problem('CONFLICT', {
        detail: 'These settings were changed in the meantime. Read them again.',
      });
    if (outcome !== 'saved') throw invalid(outcome.faults);
    return settings.describe(section);
  });
};

const invalid = (faults: readonly FieldFault[]): Problem =>
  new Problem('INVALID_REQUEST', {
    detail: 'Nothing was saved.',
    extensions: {
      errors: faults.map(({ field, ...fault }) => ({
        path: field === '' ? 'body.values' : `body.values.${field}`,
        ...fault,
      })),
    },
  });
