import { useState } from 'react';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { type SettingsSection, settingsHttp } from '#contracts/operations/settings.ts';
import { askAccess } from '../../kit/access/access-state.ts';
import { ApiProblem } from '../../kit/api/api-problem.ts';
import { queryClient, readKey } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { withdrawNotice } from '../../kit/design/notify.ts';
import type { FieldFault, FieldRefusal } from '../../kit/forms/field-fault.ts';
import { afterSave, changeOf, faultsOf } from '../../kit/forms/section-draft.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { draftedSections, draftOf, keepDraft } from './settings-drafts.ts';
import { noticeId } from './use-leaving-notice.tsx';

/** The API's refusals, by field. */
const refusalsOf = (error: ApiProblem): ReadonlyMap<string, FieldRefusal> => {
  const prefix = 'body.values.';
  const named = (error.document.errors ?? []).filter(({ path }) => path.startsWith(prefix));
  return new Map(
    named.map(({ path, ...refusal }) => [path.slice(prefix.length).split('.')[0] ?? '', refusal]),
  );
};

const key = readKey(settingsHttp.list, {});
type Sections = EndpointResponse<typeof settingsHttp.list>;

/** A read that started earlier would bring back the old values. */
const showSaved = async (saved: SettingsSection): Promise<void> => {
  await queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueryData<Sections>(
    key,
    (known) => known && { sections: known.sections.map((each) => (each.name === saved.name ? saved : each)) },
  );
};

interface SectionSave {
  readonly faults: ReadonlyMap<string, FieldFault>;
  readonly refusals: ReadonlyMap<string, FieldRefusal>;
  /** Errors that belong to no field. */
  readonly error: unknown;
  readonly isSaving: boolean;
  /** @returns whether it is saved */
  save(): Promise<boolean>;
  /** The refusal of a field no longer applies. */
  forget(field: string): void;
  clear(): void;
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const noFields: ReadonlySet<string> = new Set();

const without = <Value>(values: ReadonlyMap<string, Value>, names: ReadonlySet<string>) =>
  new Map([...values].filter(([name]) => !names.has(name)));

/** Saves a section's draft. Refused input stays as it was typed. */
export const useSectionSave = (section: SettingsSection, personId: string): SectionSave => {
  const [faults, setFaults] = useState<ReadonlyMap<string, FieldFault>>(nothing);
  /** Typed again since the last save was refused. */
  const [retyped, setRetyped] = useState(noFields);
  const form = useVersionedForm({
    version: section.version,
    newest: section,
    async send() {
      const draft = draftOf(personId, section.name);
      if (!draft) return section;
      const values = changeOf(draft, section);
      const found = faultsOf(values, section);
      setFaults(found);
      setRetyped(noFields);
      if (found.size > 0) return null;
      const input = { params: { section: section.name }, body: { version: draft.version, values } };
      const saved = await sendChange(settingsHttp.change, input);
      await showSaved(saved);
      // The name, language and time zone of the community apply everywhere in the panel.
      if (saved.name === 'general') await askAccess();
      keepDraft(personId, section.name, afterSave(draftOf(personId, section.name), values, saved));
      // A person who has left the page in between was told that it is not saved.
      if (draftedSections(personId).length === 0) void withdrawNotice(noticeId);
      return saved;
    },
    // The other change is shown next to what was typed.
    readNewest: () => queryClient.invalidateQueries({ queryKey: key }),
  });
  const refusals = form.error instanceof ApiProblem ? refusalsOf(form.error) : nothing;

  return {
    faults,
    refusals: without(refusals, retyped),
    error: refusals.size > 0 ? null : form.error,
    isSaving: form.isSaving,
    save: async () => (await form.save()) !== null,
    forget(field) {
      setFaults((before) => without(before, new Set([field])));
      setRetyped((before) => new Set([...before, field]));
    },
    clear() {
      setFaults(nothing);
      form.clear();
    },
  };
};
