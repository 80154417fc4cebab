/** The size of a photo from a camera. Decoding takes many times as much. */
const mostSourceBytes = 20 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** WebP if the browser can write it, otherwise PNG. */
const encode = (drawn: ImageBitmap, most: number): Promise<Blob | null> => {
  const scale = Math.min(1, most / Math.max(drawn.width, drawn.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(drawn.width * scale));
  canvas.height = Math.max(1, Math.round(drawn.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  const made = Promise.withResolvers<Blob | null>();
  canvas.toBlob(made.resolve, 'image/webp', 0.9);
  return made.promise;
};

/**
 * Draws an image again, as large as it may be: without metadata, turned by its camera's orientation, and only the first
 * frame of an animation. Null if the browser cannot read the file as a PNG, JPEG or WebP, or no size of it fits.
 */
export const shrinkPicture = async (
  file: Blob,
  {
    bytes,
    pixels,
  }: {
    readonly bytes: number;
    /** The length of a side. */
    readonly pixels: number;
  },
): Promise<Blob | null> => {
  if (!pictureTypes.includes(file.type) || file.size > mostSourceBytes) return null;
  const drawn = await createImageBitmap(file).catch(() => null);
  if (!drawn) return null;
  try {
    for (let side = pixels; side >= 64; side /= 2) {
      const made = await encode(drawn, side);
      if (made && made.size <= bytes) return made;
    }
    return null;
  } finally {
    drawn.close();
  }
};
