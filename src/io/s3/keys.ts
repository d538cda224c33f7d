/** Keys that sign requests to a store of objects; null: no session. */
export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | null };

/** Keys that are complete; undefined where one of the two is missing or empty. */
export function keysOf(accessKeyId?: string, secretAccessKey?: string, sessionToken?: string): S3Keys | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken || null };
}

/** The keys of a profile in the text of a credentials file, as `aws configure` writes it; undefined where it has none. */
export function keysOfProfile(text: string, profile: string): S3Keys | undefined {
  const section = sectionOf(text, profile);
  return keysOf(
    section?.get('aws_access_key_id'),
    section?.get('aws_secret_access_key'),
    section?.get('aws_session_token'),
  );
}

/** The last section of this title in an INI file. */
function sectionOf(text: string, wanted: string): Map<string, string> | undefined {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/u)) {
    const title = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/u.exec(line)?.[1];
    const [, key, value] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (title !== undefined) sections.set(title, (section = new Map<string, string>()));
    else if (key !== undefined && value !== undefined) section?.set(key.toLowerCase(), value);
  }
  return sections.get(wanted);
}
