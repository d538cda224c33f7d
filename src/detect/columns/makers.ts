export function makerKind(value: string): 'parts' | 'vehicles' | 'both' | null {
  return /^(bosch|ate|trw|sachs|febi|valeo|mann|knecht|skf|brembo|lemf|meyle|ngk|hella|mahle|filtron|luk|ina|gates|contitech|denso|monroe|kyb|delphi|textar|zimmermann|nissens)/i.test(
    value,
  )
    ? 'parts'
    : /^(toyota|bmw|audi|vw|volkswagen|ford|opel|renault|fiat|lada|skoda|mazda|honda|nissan|kia|hyundai)$/i.test(value)
      ? 'vehicles'
      : null;
}
