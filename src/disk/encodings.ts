import type { Encodings, TextSettings } from '#host/encodings';
import type { AbsolutePath } from '#protocol/ids';

/** The Encodings port without an editor: one encoding for all files unless the caller says more. The tables load with their first use. */
export function plainEncodings(settings: (path: AbsolutePath) => TextSettings = () => UTF8): Encodings {
  const setFor = (path: AbsolutePath) => ({ ...UTF8, ...settings(path) });
  return {
    setFor,
    choose: async (path) => setFor(path).encoding,
    decode: async (bytes, encoding) => (await import('#disk/iconv')).decodeAs(bytes, encoding),
    encode: async (text, encoding) => (await import('#disk/iconv')).encodeAs(text, encoding),
  };
}

const UTF8 = { encoding: 'utf8' };
