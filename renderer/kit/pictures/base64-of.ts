/** The bytes of a file in the API's encoding. */
export const base64Of = (file: Blob): Promise<string> => {
  const read = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => read.resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => read.reject(reader.error);
  reader.readAsDataURL(file);
  return read.promise;
};
