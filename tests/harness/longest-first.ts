import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { keptMsOf, keptTimesPath, readTimes } from '../times/stored-times.ts';

/**
 * Puts the files first that took longest when times were kept, so that no worker starts one when the others are done. A project
 * stays together: a worker that ends a file lives on only if the next one in the queue is of the same project, and a new one loads
 * all modules again. The projects with the longest files come first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kept = readTimes(keptTimesPath);
    const sorted = await super.sort(files);
    const msOf = ({ project, moduleId }: TestSpecification) =>
      keptMsOf(kept, relative(project.vitest.config.root, moduleId).replaceAll('\\', '/'));
    const byProject = [...Map.groupBy(sorted, ({ project }) => project.name).values()];
    const longestOf = (files: readonly TestSpecification[]) => Math.max(...files.map(msOf));
    return byProject
      .toSorted((a, b) => longestOf(b) - longestOf(a))
      .flatMap((ofProject) => ofProject.toSorted((a, b) => msOf(b) - msOf(a)));
  }
}
