import { presentLanguage } from '../language/use-words.ts';
import { fieldMessagesWords } from './field-messages.words.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** The message of a check that the browser makes by itself; null: the field has its own. */
const messageOf = ({ validity }: Field): string | null => {
  const words = fieldMessagesWords[presentLanguage()];
  if (validity.valueMissing) return words.missing;
  if (validity.rangeOverflow || validity.rangeUnderflow) return words.range;
  return validity.badInput || validity.patternMismatch || validity.typeMismatch ? words.form : null;
};

const spoken = new WeakSet<Field>();

/** A message of ours lasts until the field changes; one that a component has set is the component's. */
const speak = (field: Field, message: string): void => {
  spoken.add(field);
  field.setCustomValidity(message);
};

/**
 * Makes the browser's messages at fields speak the panel's language, and refuses a paste that a field's limit would silently cut
 * off.
 */
export const speakFieldMessages = (): void => {
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const message = isField(target) && !target.validity.customError ? messageOf(target) : null;
      if (message !== null && isField(target)) speak(target, message);
    },
    true,
  );
  const forget = ({ target }: Event) => {
    if (isField(target) && spoken.delete(target)) target.setCustomValidity('');
  };
  for (const kind of ['input', 'change', 'focusout']) document.addEventListener(kind, forget, true);
  document.addEventListener('paste', (event) => {
    const { target, clipboardData } = event;
    if (!isField(target) || target.maxLength < 0 || !clipboardData) return;
    const { selectionStart, selectionEnd, value, maxLength } = target;
    const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0));
    const pasted = clipboardData.getData('text');
    const text = target instanceof HTMLInputElement ? pasted.replace(/[\r\n]/g, '') : pasted;
    if (kept + text.length <= maxLength) return;
    event.preventDefault();
    speak(target, fieldMessagesWords[presentLanguage()].notPasted(maxLength));
    target.reportValidity();
  });
};
