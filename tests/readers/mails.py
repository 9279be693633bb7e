"""Mails made with the standard library."""

from email.message import EmailMessage


def made(text: str = "Dear all, the station opens on Monday.", subject: str = "Öffnung der Station") -> EmailMessage:
    """A mail of plain text, to be added to."""
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "Jörg Müller <joerg@example.com>"
    message["To"] = "all@example.com"
    message["Date"] = "Fri, 31 May 2024 12:00:00 +0200"
    message.set_content(text)
    return message


def mail(subject: str, text: str) -> bytes:
    """A whole mail as a file."""
    return made(text, subject).as_bytes()
