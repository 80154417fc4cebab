import type { PlanFault } from '#contracts/mods/mods.ts';
import type { ModItem } from '#contracts/servers/agent-mods.ts';
import type { PlanMaterials } from './plan.ts';
import { blocking } from './plan-faults.ts';

/**
 * Finds uploaded files to be restored that are gone. Once a change has used a file it is deleted here, but the agent may
 * still have it. Checked before anything begins, since an impossible undo must not be promised.
 */
export const goneFiles = async (
  restored: readonly ModItem[],
  { upload, inspect }: Pick<PlanMaterials, 'upload' | 'inspect'>,
): Promise<PlanFault[]> => {
  const faults: PlanFault[] = [];
  for (const { name, file } of restored) {
    if (file?.from.kind !== 'api' || (await upload(file.from.id))) continue;
    const inspected = await inspect(file);
    if (!('why' in inspected)) continue;
    const { why: detail, hasLooked = false } = inspected;
    faults.push(
      blocking(hasLooked ? 'FILE_GONE' : 'SOURCE_AWAY', { mod: name, fileName: file.name, detail }),
    );
  }
  return faults;
};
