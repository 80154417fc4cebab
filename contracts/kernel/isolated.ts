/** Characters that change the text direction, and line breaks: a name must not carry them into a sentence. */
const disturbing = /[\u202a-\u202e\u2066-\u2069\p{Cc}]+/gu;

/** A text from outside, isolated from the text direction of the sentence around it. */
export const isolated = (value: string): string => `\u2068${value.replace(disturbing, ' ')}\u2069`;
