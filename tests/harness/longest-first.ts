import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { keptMsOf, keptTimesPath, readTimes } from '../times/stored-times.ts';

/** Puts the files first that took longest when times were kept, so that no worker starts one when the others are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kept = readTimes(keptTimesPath);
    const sorted = await super.sort(files);
    const msOf = ({ project, moduleId }: TestSpecification) =>
      keptMsOf(kept, relative(project.vitest.config.root, moduleId).replaceAll('\\', '/'));
    return sorted.sort((a, b) => msOf(b) - msOf(a));
  }
}
