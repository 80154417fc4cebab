import { createKeptDrafts } from '../../kit/forms/kept-drafts.ts';
import type { SectionDraft } from '../../kit/forms/section-draft.ts';

const drafts = createKeptDrafts<SectionDraft>();

/** A person's unsaved input in any section. */
export const useDraftsOf = drafts.useOf;

export const draftOf = (personId: string, section: string): SectionDraft | null =>
  drafts.of(personId)[section] ?? null;

export const forgetDrafts = drafts.forgetAll;

/** The sections with something unsaved. */
export const draftedSections = (personId: string): readonly string[] => Object.keys(drafts.of(personId));

export const keepDraft = drafts.keep;
