import type { SettingsSection } from '#contracts/operations/settings.ts';
import { StateLabel } from '../design/state-label.tsx';
import { useWords } from '../language/use-words.ts';
import { formsWords } from './forms.words.ts';

export type KeptSecret = SettingsSection['secrets'][string];

/** Whether a secret is set and readable, never its value. Without a state, it is unknown whether the secret is set. */
export const SecretState = ({ secret }: { readonly secret: KeptSecret | undefined }) => {
  const words = useWords(formsWords);
  if (!secret?.set) return <StateLabel tone="idle">{words.notSet}</StateLabel>;
  if (secret.fault) return <StateLabel tone="bad">{words.unreadable[secret.fault]}</StateLabel>;
  return <StateLabel tone="ok">{words.set}</StateLabel>;
};
