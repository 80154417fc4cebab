import { useWords } from '../language/use-words.ts';
import { FailureAlert } from './failure-alert.tsx';
import { wizardWords } from './wizard.words.ts';

/** What the desktop could not do, or would not, in its own words. */
export const ActionFailed = ({ error }: { readonly error: unknown }) => (
  <FailureAlert
    title={useWords(wizardWords).failed}
    detail={error instanceof Error ? error.message : String(error)}
  >
    {null}
  </FailureAlert>
);
