const control: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * JSON as the loaders accept it: also with line breaks inside strings, which many mods have in their descriptions.
 * @throws {SyntaxError}
 */
export const parseLenientJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
        string.replace(
          /\p{Cc}/gu,
          (letter) => control[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      ),
    );
  }
};
