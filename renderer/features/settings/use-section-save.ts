import { useState } from 'react';
import type { EndpointResponse } from '#contracts/http.ts';
import { type SettingsSection, settingsHttp } from '#contracts/settings.ts';
import { withdrawNotice } from '../../design/notify.ts';
import type { FieldFault } from '../../forms/field-fault.ts';
import { afterSave, changeOf, faultsOf } from '../../forms/section-draft.ts';
import { ApiProblem, isConflict } from '../../wire/api-problem.ts';
import { call } from '../../wire/call.ts';
import { queryClient, readKey } from '../../wire/queries.ts';
import { draftedSections, draftOf, keepDraft } from './settings-drafts.ts';
import { noticeId } from './use-leaving-notice.tsx';

/** Of the API's refusal: its words for each field. */
const refusalsOf = (error: ApiProblem): ReadonlyMap<string, string> => {
  const prefix = 'body.values.';
  const named = (error.document.errors ?? []).filter(({ path }) => path.startsWith(prefix));
  return new Map(named.map(({ path, message }) => [path.slice(prefix.length).split('.')[0] ?? '', message]));
};

const key = readKey(settingsHttp.list, {});
type Sections = EndpointResponse<typeof settingsHttp.list>;

/** A read that has begun before would bring back what was there then. */
const showSaved = async (saved: SettingsSection): Promise<void> => {
  await queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueryData<Sections>(
    key,
    (known) => known && { sections: known.sections.map((each) => (each.name === saved.name ? saved : each)) },
  );
};

interface Outcome {
  readonly faults: ReadonlyMap<string, FieldFault>;
  readonly refusals: ReadonlyMap<string, string>;
  /** What belongs to no field. */
  readonly error: unknown;
}
const fine: Outcome = { faults: new Map(), refusals: new Map(), error: null };

export interface SectionSave extends Outcome {
  readonly isSaving: boolean;
  /** @returns whether it is saved */
  save(): Promise<boolean>;
  /** What was said of a field no longer holds. */
  forget(field: string): void;
  clear(): void;
}

/** Saves a section's draft. What is refused stays as it was typed. */
export const useSectionSave = (section: SettingsSection, personId: string): SectionSave => {
  const [outcome, setOutcome] = useState(fine);
  const [isSaving, setIsSaving] = useState(false);

  const send = async (): Promise<Outcome> => {
    const draft = draftOf(personId, section.name);
    if (!draft) return fine;
    const values = changeOf(draft, section);
    const faults = faultsOf(values, section);
    if (faults.size > 0) return { ...fine, faults };
    try {
      const input = { params: { section: section.name }, body: { version: draft.version, values } };
      const saved = await call(settingsHttp.change, input);
      await showSaved(saved);
      keepDraft(personId, section.name, afterSave(draftOf(personId, section.name), values, saved));
      // Whoever has left the page meanwhile was told that it is not saved.
      if (draftedSections(personId).length === 0) void withdrawNotice(noticeId);
      return fine;
    } catch (error) {
      if (!(error instanceof ApiProblem)) return { ...fine, error };
      // What was changed meanwhile is shown beside what was typed.
      if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: key });
      const refusals = refusalsOf(error);
      return { faults: new Map(), refusals, error: refusals.size > 0 ? null : error };
    }
  };

  return {
    ...outcome,
    isSaving,
    async save() {
      setIsSaving(true);
      const next = await send();
      setOutcome(next);
      setIsSaving(false);
      return next === fine;
    },
    forget: (field) =>
      setOutcome(({ faults, refusals, error }) => ({
        faults: new Map([...faults].filter(([name]) => name !== field)),
        refusals: new Map([...refusals].filter(([name]) => name !== field)),
        error,
      })),
    clear: () => setOutcome(fine),
  };
};
