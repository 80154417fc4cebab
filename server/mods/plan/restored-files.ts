import type { ModItem } from '#contracts/agent-mods.ts';
import type { PlanFault } from '#contracts/mods.ts';
import type { PlanMaterials } from './plan.ts';
import { blocking } from './plan-faults.ts';

/**
 * Files that people uploaded and that are to come back are no longer here once a change has used them: the agent may have them still.
 * Asked before anything is begun, since a change that cannot be undone must not be promised.
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
